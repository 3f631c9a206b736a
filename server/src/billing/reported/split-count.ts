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
