import type { ScreenPart } from '#web/components/parts/screen-part.ts'
import { role } from '#web/lib/api/contract.ts'

export const parts: readonly ScreenPart[] = [
  {
    place: 'below captures',
    position: 1,
    role: role.root,
    load: async () => (await import('./dual-run.tsx')).DualRun,
  },
]
