import { moduleSecurityParts } from '../../../../modules/lists/security-parts.ts'
import type { FixedPart } from './screen-part.ts'

const ofModules: readonly FixedPart[] = moduleSecurityParts

/** Panels of modules among the settings of one's own security, which stand above the sessions, in their order. */
export const securityParts = ofModules.toSorted((one, other) => one.position - other.position)
