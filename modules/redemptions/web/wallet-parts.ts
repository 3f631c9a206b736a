import type { FixedPart } from '#web/components/parts/screen-part.ts'
import { Redeem } from './redeem/redeem.tsx'

export const walletParts: readonly FixedPart[] = [{ position: 1, Part: Redeem }]
