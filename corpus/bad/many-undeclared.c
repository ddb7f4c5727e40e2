// Many mistakes of types: they are bounded too.
int main(void) {
    missing0++;
    missing1++;
    missing2++;
    missing3++;
    missing4++;
    missing5++;
    missing6++;
    missing7++;
    missing8++;
    missing9++;
    missing10++;
    missing11++;
    missing12++;
    missing13++;
    missing14++;
    missing15++;
    missing16++;
    missing17++;
    missing18++;
    missing19++;
    missing20++;
    missing21++;
    missing22++;
    missing23++;
    missing24++;
    missing25++;
    missing26++;
    missing27++;
    missing28++;
    missing29++;
    return 0;
}
