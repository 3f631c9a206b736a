const digits = /^\d{1,16}$/

/** A count as a report states it: some servers write numbers as texts. What is neither comes back as it is. */
export const statedCount = (value: unknown): unknown =>
  typeof value === 'string' && digits.test(value) ? Number(value) : value
