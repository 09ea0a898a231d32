# From Android 13 on, apps ask to be told of the back gesture.
.class final Lapp/slipway/Back;
.super Ljava/lang/Object;
.implements Landroid/window/OnBackInvokedCallback;

.field private final reader:Lapp/slipway/Reader;

.method private constructor <init>(Lapp/slipway/Reader;)V
    .registers 2
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Lapp/slipway/Back;->reader:Lapp/slipway/Reader;
    return-void
.end method

.method static listen(Lapp/slipway/Reader;)V
    .registers 4
    invoke-virtual {p0}, Lapp/slipway/Reader;->getOnBackInvokedDispatcher()Landroid/window/OnBackInvokedDispatcher;
    move-result-object v0
    new-instance v1, Lapp/slipway/Back;
    invoke-direct {v1, p0}, Lapp/slipway/Back;-><init>(Lapp/slipway/Reader;)V
    const/4 v2, 0x0
    invoke-interface {v0, v2, v1}, Landroid/window/OnBackInvokedDispatcher;->registerOnBackInvokedCallback(ILandroid/window/OnBackInvokedCallback;)V
    return-void
.end method

.method public onBackInvoked()V
    .registers 2
    iget-object v0, p0, Lapp/slipway/Back;->reader:Lapp/slipway/Reader;
    invoke-virtual {v0}, Lapp/slipway/Reader;->onBackPressed()V
    return-void
.end method
