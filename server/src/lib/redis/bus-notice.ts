/**
 * What a listener receives. `own` is true when this node sent the message. `resync` follows after the link to the other nodes was
 * down: messages may be missing, so the listener must reload its state.
 */
export type BusNotice =
  | { readonly kind: 'message'; readonly message: string; readonly own: boolean }
  | { readonly kind: 'resync' }

export type BusListener = (notice: BusNotice) => void
