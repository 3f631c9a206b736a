const digits = /^\d{1,16}$/

/** A count as a report states it: some servers write numbers as texts. What is neither comes back as it is. */
export const statedCount = (value: unknown): unknown =>
  typeof value === 'string' && digits.test(value) ? Number(value) : value

/** The remainder of a sum without its parts, then the parts, which together never exceed the sum. */
export const splitCount = (sum: number, parts: readonly number[]): [number, ...number[]] => {
  let left = sum
  const counts = parts.map((part) => {
    const count = Math.min(Math.max(0, part), left)
    left -= count
    return count
  })
  return [left, ...counts]
}
