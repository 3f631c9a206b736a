import { readText, writeText } from '../preferences/storage.ts'

/** Stores the invite code of a link until the visitor registers, whatever pages come between. */
export const keepInviteCode = (code: string | undefined): void => {
  if (code) writeText('aff', code)
}

export const inviteCode = (): string => readText('aff') ?? ''

/** It was used. */
export const forgetInviteCode = (): void => writeText('aff', undefined)

/** Key in this tab's session storage for an invitation's secret, while its owner signs in or registers. */
export const invitationPlace = 'invitation'
