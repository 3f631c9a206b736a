import { useState } from 'react'
import { useStatus } from '../lib/status.ts'

/** The toll barrier; an operator's own logo takes its place, unless it cannot be loaded. */
export const Mark = ({ size = 22 }: { size?: number }) => {
  const { logo } = useStatus()
  const [broken, setBroken] = useState<string>()
  if (logo && logo !== broken) {
    const giveUp = (): void => setBroken(logo)
    return <img src={logo} alt="" width={size} height={size} style={{ objectFit: 'contain' }} onError={giveUp} />
  }
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <rect x="2.5" y="3" width="4" height="18" rx="1.2" fill="var(--accent)" />
      <rect x="6.5" y="6.2" width="15" height="4.6" rx="1.2" fill="var(--bar-2)" />
      <path d="M9.5 6.2l-2 4.6M14 6.2l-2 4.6M18.5 6.2l-2 4.6" stroke="var(--surface)" strokeWidth="1.5" />
    </svg>
  )
}
