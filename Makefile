# A thin front to CMake: installs what is missing from the distribution, builds, runs. Everything else is in CONTRIBUTING.md.
PACKAGES = gcc g++ cmake ninja-build pkg-config protobuf-c-compiler libprotobuf-c-dev libnng-dev libmbedtls-dev liblmdb-dev libembree-dev \
           libuv1-dev libjansson-dev libcairo2-dev libpng-dev zlib1g-dev libjpeg-dev libsodium-dev libzstd-dev \
           libassimp-dev libzip-dev libstb-dev libyaml-dev libcurl4-openssl-dev libmicrohttpd-dev \
           libdraco-dev libmeshoptimizer-dev libwebp-dev libbullet-dev wordnet-base unifont
TEST_PACKAGES = libcmocka-dev binutils jq sweethome3d-furniture tidy bsdutils
BENCH_PACKAGES = blender python3-numpy python3-torch python3-distributed python3-celery python3-redis redis-server
FULL_PACKAGES = clang clang-format libclang-rt-14-dev valgrind blender python3-numpy g++-aarch64-linux-gnu gcc-aarch64-linux-gnu slurm-wlm munge
DATA ?= ../shared/data
export ETNA_TEST_DATA ?= $(abspath $(DATA))
JOBS := $(shell nproc 2>/dev/null || echo 2)
OUT ?= out

.PHONY: all run test test-full format bench deps deps-test deps-bench deps-full clean install

all: deps
	@cmake --preset release -G Ninja -DETNA_TESTS=OFF -DETNA_WERROR=OFF >build/configure.log 2>&1 || (cat build/configure.log; exit 1)
	@cmake --build --preset release

# One sentence, one scene, nothing else to type.
run: all
	build/release/bin/etna run build/release/scenes/bottles.glb --goal "Put the red bottle on the yellow block" -o $(OUT)
	@echo "Look at $(OUT)/report.html, or open $(OUT)/result.glb in any glTF viewer."

test: deps-test
	@.ci/build dev
	@.ci/test dev

# The suite again under AddressSanitizer + UBSan and ThreadSanitizer, both compilers, and everything slow.
test-full: deps-full
	@.ci/full

format:
	@mkdir -p build
	@.ci/format

bench: deps-bench
	@.ci/build release
	@build/release/bin/etna-bench

deps:
	@mkdir -p build
	@.ci/install $(PACKAGES)
deps-test:
	@mkdir -p build
	@.ci/install $(PACKAGES) $(TEST_PACKAGES)
deps-bench:
	@mkdir -p build
	@.ci/install $(PACKAGES) $(TEST_PACKAGES) $(BENCH_PACKAGES)
deps-full:
	@mkdir -p build
	@.ci/install $(PACKAGES) $(TEST_PACKAGES) $(FULL_PACKAGES)

install: all
	cmake --install build/release

clean:
	rm -rf build
