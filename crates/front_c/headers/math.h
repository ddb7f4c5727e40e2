/* <math.h>: declarations only, so that programs can include it. Floating point is refused where it
   is used. */
#pragma once

double ceil(double);
double exp(double);
double fabs(double);
double floor(double);
double fmod(double, double);
double log(double);
double log2(double);
double pow(double, double);
double round(double);
double sqrt(double);
