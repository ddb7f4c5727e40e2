// A record with its CRC, which the machine's zlib computes (--native libz.so.1:crc32).
#include <assert.h>
#include <pthread.h>
#include <fencepost.h>

unsigned long crc32(unsigned long crc, const unsigned char *bytes, unsigned length);

#ifndef N
#define N 2
#endif

unsigned char record[4];
unsigned long sum;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused) {
    for (unsigned i = 0; i < N; i++) {
        pthread_mutex_lock(&mutex);
        record[i % 4] += 7 * i + 1;
        sum = crc32(0, fp_bytes(record, 4), 4);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    sum = crc32(0, fp_bytes(record, 4), 4);
    pthread_t first, second;
    pthread_create(&first, 0, writer, 0);
    pthread_create(&second, 0, writer, 0);
    pthread_mutex_lock(&mutex);
    assert(crc32(0, fp_bytes(record, 4), 4) == sum);
    pthread_mutex_unlock(&mutex);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(record[0] == 2 && record[1] == 16);
}
