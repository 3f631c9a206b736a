import type { ReceivedCall } from '../strict/model.ts'

/** Results of tools when they are called. */

export interface Done {
  readonly text: string
  /** PNG, base64. */
  readonly picture?: string
  readonly failed?: true
}

export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const files: Readonly<Record<string, Done>> = {
  'src/a.ts': { text: 'export const a = “π ≈ 3” // 一' },
  'src/b.ts': { text: 'export const b = “été” // 二', picture: png },
  'README.md': { text: 'ENOENT: no such file “README.md” — 没有', failed: true },
}

const pathOf = ({ input }: ReceivedCall): string => (input as { path?: string }).path ?? ''

export const run = (call: ReceivedCall): Done =>
  call.name === 'read_file' ? (files[pathOf(call)] ?? { text: 'nothing' }) : { text: `${call.name} is done ✓` }
