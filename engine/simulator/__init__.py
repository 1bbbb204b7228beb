"""Many tables at once, played by kernels."""
