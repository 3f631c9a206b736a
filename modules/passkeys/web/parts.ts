import type { ScreenPart } from '#web/components/parts/screen-part.ts'

export const parts: readonly ScreenPart[] = [
  { place: 'ways to sign in', position: 1, load: async () => (await import('./passkeys.tsx')).Passkeys },
]
