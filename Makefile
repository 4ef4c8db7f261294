# Two commands: `make demo` and `make test`. Everything else is Meson's.
BUILD ?= build

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD)

$(BUILD)/build.ninja: | setup
	@meson setup $(BUILD) --buildtype=release >/dev/null || (meson setup $(BUILD) --buildtype=release; false)

# Installs what is missing (says so, and asks for root only then).
setup:
	@scripts/setup

# What users run, without tests and benchmarks.
product: $(BUILD)/build.ninja
	@ninja -C $(BUILD) $$(scripts/product $(BUILD))

demo: product
	@scripts/demo $(BUILD)

test: all
	@scripts/test $(BUILD)

install: all
	@ninja -C $(BUILD) install

clean:
	rm -rf $(BUILD)

.PHONY: all setup product demo test install clean
