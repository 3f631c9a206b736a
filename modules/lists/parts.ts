// Written by `npm run modules` from the folders of modules.
import type { ScreenPart } from '../../web/src/components/parts/screen-part.ts'
import { parts as usageSinks } from '../usage-sinks/web/parts.ts'

export const moduleParts: readonly ScreenPart[] = [...usageSinks]
