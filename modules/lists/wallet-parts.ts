// Written by `npm run modules` from the folders of modules.
import { walletParts as redemptions } from '../redemptions/web/wallet-parts.ts'

export const moduleWalletParts = [...redemptions] as const
