"""The settings of a session, by a connection's options."""

from connectors.client_settings import ClientSettings

HOST, PORT, DATABASE, USER, PASSWORD = "host", "port", "database", "user", "password"
SSL_MODE, AUTHORITY = "ssl_mode", "authority"
MYSQL_SETTINGS = ClientSettings(
    {
        "HOST": HOST,
        "PORT": PORT,
        "DATABASE": DATABASE,
        "USER": USER,
        "PASSWORD": PASSWORD,
        "SSL MODE": SSL_MODE,
        "SSL CERTIFICATE AUTHORITY": AUTHORITY,
    },
    {PORT: "3306", SSL_MODE: "preferred"},
)
