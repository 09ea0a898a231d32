# From Android 15 on, windows reach below the bars and around the camera: the site stays clear of them.
.class final Lapp/slipway/Edges;
.super Ljava/lang/Object;
.implements Landroid/view/View$OnApplyWindowInsetsListener;

.method constructor <init>()V
    .registers 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public onApplyWindowInsets(Landroid/view/View;Landroid/view/WindowInsets;)Landroid/view/WindowInsets;
    .registers 7
    invoke-static {}, Landroid/view/WindowInsets$Type;->systemBars()I
    move-result v0
    invoke-static {}, Landroid/view/WindowInsets$Type;->displayCutout()I
    move-result v1
    or-int/2addr v0, v1
    invoke-static {}, Landroid/view/WindowInsets$Type;->ime()I
    move-result v1
    or-int/2addr v0, v1
    invoke-virtual {p2, v0}, Landroid/view/WindowInsets;->getInsets(I)Landroid/graphics/Insets;
    move-result-object v3
    iget v0, v3, Landroid/graphics/Insets;->left:I
    iget v1, v3, Landroid/graphics/Insets;->top:I
    iget v2, v3, Landroid/graphics/Insets;->right:I
    iget v3, v3, Landroid/graphics/Insets;->bottom:I
    invoke-virtual {p1, v0, v1, v2, v3}, Landroid/view/View;->setPadding(IIII)V
    sget-object v0, Landroid/view/WindowInsets;->CONSUMED:Landroid/view/WindowInsets;
    return-object v0
.end method
