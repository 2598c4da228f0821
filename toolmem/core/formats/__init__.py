"""Read and edit JSON, TOML and YAML documents."""
