# Answers the site's addresses from the assets, and sends everything else to where it belongs. The
# host is kept for this by those who own it: nothing else can ever answer there.
.class final Lapp/slipway/Site;
.super Landroid/webkit/WebViewClient;
.implements Landroid/webkit/DownloadListener;

.field private final screen:Landroid/app/Activity;

.method constructor <init>(Landroid/app/Activity;)V
    .registers 2
    invoke-direct {p0}, Landroid/webkit/WebViewClient;-><init>()V
    iput-object p1, p0, Lapp/slipway/Site;->screen:Landroid/app/Activity;
    return-void
.end method

.method public shouldInterceptRequest(Landroid/webkit/WebView;Landroid/webkit/WebResourceRequest;)Landroid/webkit/WebResourceResponse;
    .registers 7
    invoke-interface {p2}, Landroid/webkit/WebResourceRequest;->getUrl()Landroid/net/Uri;
    move-result-object v0
    invoke-static {v0}, Lapp/slipway/Site;->isHere(Landroid/net/Uri;)Z
    move-result v1
    if-nez v1, :here
    const/4 v0, 0x0
    return-object v0

    :here
    invoke-virtual {v0}, Landroid/net/Uri;->getPath()Ljava/lang/String;
    move-result-object v0
    const-string v1, "/"
    invoke-virtual {v0, v1}, Ljava/lang/String;->endsWith(Ljava/lang/String;)Z
    move-result v1
    if-nez v1, :folder
    invoke-direct {p0, v0}, Lapp/slipway/Site;->open(Ljava/lang/String;)Ljava/io/InputStream;
    move-result-object v1
    if-nez v1, :found
    const-string v1, "/"
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0

    :folder
    const-string v1, "index.html"
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-direct {p0, v0}, Lapp/slipway/Site;->open(Ljava/lang/String;)Ljava/io/InputStream;
    move-result-object v1
    if-nez v1, :found
    invoke-static {}, Lapp/slipway/Site;->missing()Landroid/webkit/WebResourceResponse;
    move-result-object v0
    return-object v0

    :found
    invoke-static {v0}, Lapp/slipway/Site;->typeOf(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-interface {p2}, Landroid/webkit/WebResourceRequest;->getRequestHeaders()Ljava/util/Map;
    move-result-object v2
    const-string v3, "Range"
    invoke-interface {v2, v3}, Ljava/util/Map;->get(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v2
    check-cast v2, Ljava/lang/String;
    invoke-static {v0, v1, v2}, Lapp/slipway/Site;->answer(Ljava/lang/String;Ljava/io/InputStream;Ljava/lang/String;)Landroid/webkit/WebResourceResponse;
    move-result-object v0
    return-object v0
.end method

# Null: there is no such file.
.method private open(Ljava/lang/String;)Ljava/io/InputStream;
    .registers 4
    const-string v0, "site"
    invoke-virtual {v0, p1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    iget-object v1, p0, Lapp/slipway/Site;->screen:Landroid/app/Activity;
    invoke-virtual {v1}, Landroid/app/Activity;->getAssets()Landroid/content/res/AssetManager;
    move-result-object v1
    :try_start
    invoke-virtual {v1, v0}, Landroid/content/res/AssetManager;->open(Ljava/lang/String;)Ljava/io/InputStream;
    move-result-object v0
    :try_end
    .catch Ljava/io/IOException; {:try_start .. :try_end} :none
    return-object v0
    :none
    const/4 v0, 0x0
    return-object v0
.end method

.method private static missing()Landroid/webkit/WebResourceResponse;
    .registers 8
    new-instance v6, Ljava/io/ByteArrayInputStream;
    const/4 v0, 0x0
    new-array v1, v0, [B
    invoke-direct {v6, v1}, Ljava/io/ByteArrayInputStream;-><init>([B)V
    new-instance v0, Landroid/webkit/WebResourceResponse;
    const-string v1, "text/plain"
    const/4 v2, 0x0
    const/16 v3, 404
    const-string v4, "Not Found"
    invoke-static {}, Ljava/util/Collections;->emptyMap()Ljava/util/Map;
    move-result-object v5
    invoke-direct/range {v0 .. v6}, Landroid/webkit/WebResourceResponse;-><init>(Ljava/lang/String;Ljava/lang/String;ILjava/lang/String;Ljava/util/Map;Ljava/io/InputStream;)V
    return-object v0
.end method

# A file of this type; p2 is what was asked of it, such as "bytes=4096-", or null. The browser skips to
# that place by itself, but takes the file for one that cannot be skipped in unless it is told so.
.method private static answer(Ljava/lang/String;Ljava/io/InputStream;Ljava/lang/String;)Landroid/webkit/WebResourceResponse;
    .registers 12
    move-object v1, p0
    const/4 v2, 0x0
    const/16 v3, 200
    const-string v4, "OK"
    new-instance v5, Ljava/util/HashMap;
    invoke-direct {v5}, Ljava/util/HashMap;-><init>()V
    move-object v6, p1
    const-string v0, "Accept-Ranges"
    const-string v7, "bytes"
    invoke-virtual {v5, v0, v7}, Ljava/util/HashMap;->put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;

    if-eqz p2, :whole
    const-string v0, "bytes=(\\d{1,18})-.*"
    invoke-virtual {p2, v0}, Ljava/lang/String;->matches(Ljava/lang/String;)Z
    move-result v0
    if-eqz v0, :whole
    invoke-static {p2, p1}, Lapp/slipway/Site;->partOf(Ljava/lang/String;Ljava/io/InputStream;)Ljava/lang/String;
    move-result-object v7
    const-string v0, "Content-Range"
    invoke-virtual {v5, v0, v7}, Ljava/util/HashMap;->put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
    const/16 v3, 206
    const-string v4, "Partial Content"

    :whole
    new-instance v0, Landroid/webkit/WebResourceResponse;
    invoke-direct/range {v0 .. v6}, Landroid/webkit/WebResourceResponse;-><init>(Ljava/lang/String;Ljava/lang/String;ILjava/lang/String;Ljava/util/Map;Ljava/io/InputStream;)V
    return-object v0
.end method

# From the place asked for to the end: "bytes 4096-9999/10000".
.method private static partOf(Ljava/lang/String;Ljava/io/InputStream;)Ljava/lang/String;
    .registers 6
    const/16 v0, 6
    const/16 v1, 45
    invoke-virtual {p0, v1}, Ljava/lang/String;->indexOf(I)I
    move-result v1
    invoke-virtual {p0, v0, v1}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v0
    new-instance v1, Ljava/lang/StringBuilder;
    const-string v2, "bytes "
    invoke-direct {v1, v2}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V
    invoke-virtual {v1, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v2, "-"
    invoke-virtual {v1, v2}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {p1}, Ljava/io/InputStream;->available()I
    move-result v2
    add-int/lit8 v3, v2, -0x1
    invoke-virtual {v1, v3}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
    const-string v3, "/"
    invoke-virtual {v1, v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v1, v2}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
    invoke-virtual {v1}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public shouldOverrideUrlLoading(Landroid/webkit/WebView;Ljava/lang/String;)Z
    .registers 5
    invoke-static {p2}, Landroid/net/Uri;->parse(Ljava/lang/String;)Landroid/net/Uri;
    move-result-object v0
    invoke-static {v0}, Lapp/slipway/Site;->isHere(Landroid/net/Uri;)Z
    move-result v1
    if-nez v1, :here
    invoke-direct {p0, v0}, Lapp/slipway/Site;->leave(Landroid/net/Uri;)V
    const/4 v0, 0x1
    return v0
    :here
    const/4 v0, 0x0
    return v0
.end method

# What the browser cannot show, such as a PDF.
.method public onDownloadStart(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;J)V
    .registers 9
    invoke-static {p1}, Landroid/net/Uri;->parse(Ljava/lang/String;)Landroid/net/Uri;
    move-result-object v0
    invoke-static {v0}, Lapp/slipway/Site;->isHere(Landroid/net/Uri;)Z
    move-result v1
    if-nez v1, :here
    invoke-direct {p0, v0}, Lapp/slipway/Site;->leave(Landroid/net/Uri;)V
    return-void
    :here
    iget-object v1, p0, Lapp/slipway/Site;->screen:Landroid/app/Activity;
    invoke-virtual {v0}, Landroid/net/Uri;->getPath()Ljava/lang/String;
    move-result-object v0
    invoke-static {v1, v0}, Lapp/slipway/Documents;->show(Landroid/app/Activity;Ljava/lang/String;)V
    return-void
.end method

.method private static isHere(Landroid/net/Uri;)Z
    .registers 3
    const-string v0, "https"
    invoke-virtual {p0}, Landroid/net/Uri;->getScheme()Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-eqz v0, :end
    const-string v0, "appassets.androidplatform.net"
    invoke-virtual {p0}, Landroid/net/Uri;->getAuthority()Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    :end
    return v0
.end method

# Opens an address in whatever app it is for; where there is none, nothing happens.
.method private leave(Landroid/net/Uri;)V
    .registers 5
    new-instance v0, Landroid/content/Intent;
    const-string v1, "android.intent.action.VIEW"
    invoke-direct {v0, v1, p1}, Landroid/content/Intent;-><init>(Ljava/lang/String;Landroid/net/Uri;)V
    const-string v1, "android.intent.category.BROWSABLE"
    invoke-virtual {v0, v1}, Landroid/content/Intent;->addCategory(Ljava/lang/String;)Landroid/content/Intent;
    iget-object v1, p0, Lapp/slipway/Site;->screen:Landroid/app/Activity;
    :try_start
    invoke-virtual {v1, v0}, Landroid/app/Activity;->startActivity(Landroid/content/Intent;)V
    :try_end
    .catch Ljava/lang/RuntimeException; {:try_start .. :try_end} :none
    :none
    return-void
.end method

# Devices differ in what they know: what a site cannot do without stands here.
.method static typeOf(Ljava/lang/String;)Ljava/lang/String;
    .registers 5
    const/16 v0, 46
    invoke-virtual {p0, v0}, Ljava/lang/String;->lastIndexOf(I)I
    move-result v0
    add-int/lit8 v0, v0, 0x1
    invoke-virtual {p0, v0}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v0
    sget-object v1, Ljava/util/Locale;->ROOT:Ljava/util/Locale;
    invoke-virtual {v0, v1}, Ljava/lang/String;->toLowerCase(Ljava/util/Locale;)Ljava/lang/String;
    move-result-object v0

    const-string v1, " html=text/html htm=text/html css=text/css js=text/javascript mjs=text/javascript json=application/json webmanifest=application/manifest+json wasm=application/wasm xml=text/xml txt=text/plain vtt=text/vtt svg=image/svg+xml webp=image/webp avif=image/avif opus=audio/ogg oga=audio/ogg ogg=audio/ogg m4a=audio/mp4 flac=audio/flac ogv=video/ogg m4v=video/mp4 woff=font/woff woff2=font/woff2 epub=application/epub+zip "
    const-string v2, " "
    invoke-virtual {v2, v0}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    const-string v3, "="
    invoke-virtual {v2, v3}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    invoke-virtual {v1, v2}, Ljava/lang/String;->indexOf(Ljava/lang/String;)I
    move-result v3
    if-ltz v3, :unusual
    invoke-virtual {v2}, Ljava/lang/String;->length()I
    move-result v2
    add-int/2addr v3, v2
    const/16 v2, 32
    invoke-virtual {v1, v2, v3}, Ljava/lang/String;->indexOf(II)I
    move-result v2
    invoke-virtual {v1, v3, v2}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v0
    return-object v0

    :unusual
    invoke-static {}, Landroid/webkit/MimeTypeMap;->getSingleton()Landroid/webkit/MimeTypeMap;
    move-result-object v1
    invoke-virtual {v1, v0}, Landroid/webkit/MimeTypeMap;->getMimeTypeFromExtension(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    if-nez v0, :known
    const-string v0, "application/octet-stream"
    :known
    return-object v0
.end method
