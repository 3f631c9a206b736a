/**
 * Which channel of the highest priority gets a call: `priority` one by weight, `latency` the one whose first content comes
 * soonest, `cost` the one whose provider takes least, `least_busy` the one with the fewest calls under way.
 */
export const channelChoices = ['priority', 'latency', 'cost', 'least_busy'] as const
export type ChannelChoice = (typeof channelChoices)[number]
