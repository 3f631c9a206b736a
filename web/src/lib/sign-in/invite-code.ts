import { readText, writeText } from '../preferences/storage.ts'

/** Stores the invite code of a link until the visitor registers, whatever pages come between. */
export const keepInviteCode = (code: string | undefined): void => {
  if (code) writeText('aff', code)
}

export const inviteCode = (): string => readText('aff') ?? ''

/** It was used. */
export const forgetInviteCode = (): void => writeText('aff', undefined)

/** Where this tab keeps the secret of the link of an invitation while somebody signs in or registers. */
export const invitationPlace = 'invitation'
