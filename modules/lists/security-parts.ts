// Written by `npm run modules` from the folders of modules.
import { securityParts as passkeys } from '../passkeys/web/security-parts.ts'

export const moduleSecurityParts = [...passkeys] as const
