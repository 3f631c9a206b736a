import { Link } from '@tanstack/react-router'
import type { ScreenPartProps } from '#web/components/parts/screen-part.ts'

/** Leads from a call in the log to its captures. */
export const CapturesLink = ({ about, children }: ScreenPartProps) => (
  <Link to="/inspector" search={{ request_id: about } as never}>
    {children}
  </Link>
)
