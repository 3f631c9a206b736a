/** Why a notice did not arrive, in words that its owner may read. */
export class DeliveryFailure extends Error {
  readonly reason: { readonly zh: string; readonly en: string }

  constructor(reason: { zh: string; en: string }, cause?: unknown) {
    super(reason.en, cause === undefined ? undefined : { cause })
    this.name = 'DeliveryFailure'
    this.reason = reason
  }
}
