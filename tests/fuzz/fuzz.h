/* A fuzz target is one file fuzz_<room>_<what>.c with these two functions.
 * Under clang's libFuzzer it is driven by coverage (-DETNA_LIBFUZZER=ON);
 * otherwise by driver.c, which mutates the seeds with a fixed random stream, so
 * that every run of the suite tries the same hostile inputs. */
#ifndef ETNA_TESTS_FUZZ_FUZZ_H
#define ETNA_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void fuzz_seeds(void (*add)(const void *data, size_t size));

#endif
