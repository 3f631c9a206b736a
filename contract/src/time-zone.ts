/** True if this runtime knows a zone of this name, e.g. `Asia/Shanghai` or `UTC`. */
export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}
