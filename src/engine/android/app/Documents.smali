# Hands files of the site to other apps, one by one, as the reader opens them.
.class public final Lapp/slipway/Documents;
.super Landroid/content/ContentProvider;

.method public constructor <init>()V
    .registers 1
    invoke-direct {p0}, Landroid/content/ContentProvider;-><init>()V
    return-void
.end method

# The system asks which app, and says so when there is none.
.method static show(Landroid/app/Activity;Ljava/lang/String;)V
    .registers 5
    new-instance v0, Landroid/net/Uri$Builder;
    invoke-direct {v0}, Landroid/net/Uri$Builder;-><init>()V
    const-string v1, "content"
    invoke-virtual {v0, v1}, Landroid/net/Uri$Builder;->scheme(Ljava/lang/String;)Landroid/net/Uri$Builder;
    invoke-virtual {p0}, Landroid/app/Activity;->getPackageName()Ljava/lang/String;
    move-result-object v1
    const-string v2, ".documents"
    invoke-virtual {v1, v2}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Landroid/net/Uri$Builder;->authority(Ljava/lang/String;)Landroid/net/Uri$Builder;
    invoke-virtual {v0, p1}, Landroid/net/Uri$Builder;->path(Ljava/lang/String;)Landroid/net/Uri$Builder;
    invoke-virtual {v0}, Landroid/net/Uri$Builder;->build()Landroid/net/Uri;
    move-result-object v0

    new-instance v1, Landroid/content/Intent;
    const-string v2, "android.intent.action.VIEW"
    invoke-direct {v1, v2}, Landroid/content/Intent;-><init>(Ljava/lang/String;)V
    invoke-static {p1}, Lapp/slipway/Site;->typeOf(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    invoke-virtual {v1, v0, v2}, Landroid/content/Intent;->setDataAndType(Landroid/net/Uri;Ljava/lang/String;)Landroid/content/Intent;
    # That app may read it.
    const/4 v2, 0x1
    invoke-virtual {v1, v2}, Landroid/content/Intent;->addFlags(I)Landroid/content/Intent;
    const/4 v2, 0x0
    invoke-static {v1, v2}, Landroid/content/Intent;->createChooser(Landroid/content/Intent;Ljava/lang/CharSequence;)Landroid/content/Intent;
    move-result-object v1
    invoke-virtual {p0, v1}, Landroid/app/Activity;->startActivity(Landroid/content/Intent;)V
    return-void
.end method

.method private open(Landroid/net/Uri;)Ljava/io/InputStream;
    .registers 4
    const-string v0, "site"
    invoke-virtual {p1}, Landroid/net/Uri;->getPath()Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0}, Landroid/content/ContentProvider;->getContext()Landroid/content/Context;
    move-result-object v1
    invoke-virtual {v1}, Landroid/content/Context;->getAssets()Landroid/content/res/AssetManager;
    move-result-object v1
    invoke-virtual {v1, v0}, Landroid/content/res/AssetManager;->open(Ljava/lang/String;)Ljava/io/InputStream;
    move-result-object v0
    return-object v0
.end method

# Most viewers take nothing but a file of its own, which an asset is not.
.method public declared-synchronized openFile(Landroid/net/Uri;Ljava/lang/String;)Landroid/os/ParcelFileDescriptor;
    .registers 8
    monitor-enter p0
    :try_start
    invoke-direct {p0, p1}, Lapp/slipway/Documents;->open(Landroid/net/Uri;)Ljava/io/InputStream;
    move-result-object v0
    invoke-virtual {p0}, Landroid/content/ContentProvider;->getContext()Landroid/content/Context;
    move-result-object v1
    invoke-virtual {v1}, Landroid/content/Context;->getCacheDir()Ljava/io/File;
    move-result-object v1
    new-instance v2, Ljava/io/File;
    const-string v3, "document"
    invoke-direct {v2, v1, v3}, Ljava/io/File;-><init>(Ljava/io/File;Ljava/lang/String;)V
    # Whoever reads the one before keeps it.
    invoke-virtual {v2}, Ljava/io/File;->delete()Z
    new-instance v1, Ljava/io/FileOutputStream;
    invoke-direct {v1, v2}, Ljava/io/FileOutputStream;-><init>(Ljava/io/File;)V
    invoke-static {v0, v1}, Lapp/slipway/Documents;->copy(Ljava/io/InputStream;Ljava/io/OutputStream;)V
    const/high16 v0, 0x10000000
    invoke-static {v2, v0}, Landroid/os/ParcelFileDescriptor;->open(Ljava/io/File;I)Landroid/os/ParcelFileDescriptor;
    move-result-object v0
    :try_end
    .catchall {:try_start .. :try_end} :failed
    monitor-exit p0
    return-object v0
    :failed
    move-exception v0
    monitor-exit p0
    throw v0
.end method

.method private static copy(Ljava/io/InputStream;Ljava/io/OutputStream;)V
    .registers 5
    const v0, 0x10000
    new-array v0, v0, [B
    :next
    invoke-virtual {p0, v0}, Ljava/io/InputStream;->read([B)I
    move-result v1
    if-ltz v1, :end
    const/4 v2, 0x0
    invoke-virtual {p1, v0, v2, v1}, Ljava/io/OutputStream;->write([BII)V
    goto :next
    :end
    invoke-virtual {p0}, Ljava/io/InputStream;->close()V
    invoke-virtual {p1}, Ljava/io/OutputStream;->close()V
    return-void
.end method

.method public onCreate()Z
    .registers 2
    const/4 v0, 0x1
    return v0
.end method

.method public getType(Landroid/net/Uri;)Ljava/lang/String;
    .registers 3
    invoke-virtual {p1}, Landroid/net/Uri;->getPath()Ljava/lang/String;
    move-result-object v0
    invoke-static {v0}, Lapp/slipway/Site;->typeOf(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# Its name and size.
.method public query(Landroid/net/Uri;[Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;Ljava/lang/String;)Landroid/database/Cursor;
    .registers 12
    const/4 v0, 0x2
    new-array v1, v0, [Ljava/lang/String;
    new-array v2, v0, [Ljava/lang/Object;
    const/4 v3, 0x0
    const-string v4, "_display_name"
    aput-object v4, v1, v3
    invoke-virtual {p1}, Landroid/net/Uri;->getLastPathSegment()Ljava/lang/String;
    move-result-object v4
    aput-object v4, v2, v3
    const/4 v3, 0x1
    const-string v4, "_size"
    aput-object v4, v1, v3
    :try_start
    invoke-direct {p0, p1}, Lapp/slipway/Documents;->open(Landroid/net/Uri;)Ljava/io/InputStream;
    move-result-object v4
    invoke-virtual {v4}, Ljava/io/InputStream;->available()I
    move-result v5
    invoke-virtual {v4}, Ljava/io/InputStream;->close()V
    :try_end
    .catch Ljava/io/IOException; {:try_start .. :try_end} :nothing
    invoke-static {v5}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
    move-result-object v4
    aput-object v4, v2, v3
    new-instance v0, Landroid/database/MatrixCursor;
    invoke-direct {v0, v1}, Landroid/database/MatrixCursor;-><init>([Ljava/lang/String;)V
    invoke-virtual {v0, v2}, Landroid/database/MatrixCursor;->addRow([Ljava/lang/Object;)V
    return-object v0
    :nothing
    const/4 v0, 0x0
    return-object v0
.end method

.method public insert(Landroid/net/Uri;Landroid/content/ContentValues;)Landroid/net/Uri;
    .registers 4
    const/4 v0, 0x0
    return-object v0
.end method

.method public update(Landroid/net/Uri;Landroid/content/ContentValues;Ljava/lang/String;[Ljava/lang/String;)I
    .registers 6
    const/4 v0, 0x0
    return v0
.end method

.method public delete(Landroid/net/Uri;Ljava/lang/String;[Ljava/lang/String;)I
    .registers 5
    const/4 v0, 0x0
    return v0
.end method
