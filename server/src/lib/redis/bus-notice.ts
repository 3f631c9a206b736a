/**
 * What a listener hears. `own` tells that this node sent the message. `resync` comes after the link to the other nodes
 * was down for a while: messages may have been missed, so what they would have told must be read again.
 */
export type BusNotice =
  | { readonly kind: 'message'; readonly message: string; readonly own: boolean }
  | { readonly kind: 'resync' }

export type BusListener = (notice: BusNotice) => void
