import type { FixedPart } from '#web/components/parts/screen-part.ts'
import { Passkeys } from './passkeys.tsx'

export const securityParts: readonly FixedPart[] = [{ position: 1, Part: Passkeys }]
