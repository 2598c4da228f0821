"""Methods of ``toolmem.Vault`` and the JSON documents of their answers."""
