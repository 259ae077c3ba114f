"""The settings of a session, by a connection's options."""

from connectors.client_settings import ClientSettings

HOST, PORT, DATABASE, USER, PASSWORD = "host", "port", "database", "user", "password"
SSL_MODE, AUTHORITY, CERTIFICATE, KEY = "ssl_mode", "authority", "certificate", "key"
REDIS_SETTINGS = ClientSettings(
    {
        "HOST": HOST,
        "PORT": PORT,
        "DATABASE": DATABASE,
        "USER": USER,
        "PASSWORD": PASSWORD,
        "SSL MODE": SSL_MODE,
        "SSL CERTIFICATE AUTHORITY": AUTHORITY,
        "SSL CERTIFICATE": CERTIFICATE,
        "SSL KEY": KEY,
    },
    {PORT: "6379", DATABASE: "0", SSL_MODE: "disabled"},
)
