import { moduleWalletParts } from '../../../../modules/lists/wallet-parts.ts'
import type { FixedPart } from './screen-part.ts'

const ofModules: readonly FixedPart[] = moduleWalletParts

/** Ways of modules to add to a balance, which the wallet shows beside the payments, in their order. */
export const walletParts = ofModules.toSorted((one, other) => one.position - other.position)
