import type { WalletSettings } from './ports.ts'

/** The payment gateway as it is set up. */
export interface PaymentGateway {
  readonly address: string
  readonly merchantId: string
  readonly key: string
  readonly notifyUrl: string
  readonly returnUrl: string
}

/**
 * The gateway, or undefined while something about it is missing: its address, who is paid, the key, or an address of our
 * own where it can notify us. Nobody may pay for what we could never hear of.
 */
export const gatewayOf = (settings: WalletSettings): PaymentGateway | undefined => {
  const { PayAddress, EpayId, EpayKey, CustomCallbackAddress, ServerAddress } = settings
  const callback = CustomCallbackAddress || ServerAddress
  if ([PayAddress, EpayId, EpayKey, callback].includes('') || !URL.canParse(PayAddress)) return undefined
  return {
    address: PayAddress,
    merchantId: EpayId,
    key: EpayKey,
    notifyUrl: `${callback}/api/user/epay/notify`,
    returnUrl: `${ServerAddress || callback}/topup`,
  }
}
