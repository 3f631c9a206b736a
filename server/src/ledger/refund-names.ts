/** Names the one refund of a call that paid to keep a content which was deleted early. */
export const cacheRefund = (requestId: string): string => `refund:cache:${requestId}`
