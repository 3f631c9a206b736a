/** `UTC`, or `UTC+8` for days that begin eight hours before those of UTC. */
export const zoneText = (hours: number): string =>
  hours === 0 ? 'UTC' : `UTC${hours > 0 ? '+' : '−'}${Math.abs(hours)}`
