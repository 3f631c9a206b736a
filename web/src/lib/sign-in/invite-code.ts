import { readText, writeText } from '../preferences/storage.ts'

/** Keeps the invite code of a link until its reader registers, whatever they look at before. */
export const keepInviteCode = (code: string | undefined): void => {
  if (code) writeText('aff', code)
}

export const inviteCode = (): string => readText('aff') ?? ''

/** It was used. */
export const forgetInviteCode = (): void => writeText('aff', undefined)
