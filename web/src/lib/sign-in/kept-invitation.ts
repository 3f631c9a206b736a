/** Where this tab keeps the secret of the link of an invitation while somebody signs in or registers. */
export const invitationPlace = 'invitation'
