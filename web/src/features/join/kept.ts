import { invitationPlace } from '../../lib/sign-in/kept-invitation.ts'

const pattern = /^[A-Za-z0-9]{43}$/

/** Keeps the secret of a link in this tab, so that the pages before joining do not carry it in their addresses. */
export const keepInvitation = (secret: string): void => {
  if (pattern.test(secret)) sessionStorage.setItem(invitationPlace, secret)
}

/** The secret of the link that was opened last; undefined without a whole one. */
export const keptInvitation = (): string | undefined => {
  const kept = sessionStorage.getItem(invitationPlace) ?? ''
  return pattern.test(kept) ? kept : undefined
}

/** The invitation was used, or cannot be. */
export const forgetInvitation = (): void => sessionStorage.removeItem(invitationPlace)
