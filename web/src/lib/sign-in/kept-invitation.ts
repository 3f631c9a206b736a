/** Key in this tab's session storage for an invitation's secret, while its owner signs in or registers. */
export const invitationPlace = 'invitation'
