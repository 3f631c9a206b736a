/** The icons of the pages before the console, which load no others. */
export const entranceShapes = {
  key: 'M9.8 8.700a3 3 0 1 0-2.5-2.5L2.5 11v2.5H5l.5-1.5 1.5-.5.5-1.5z',
  sun: 'M8 10.800a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.600zM8 1.5v1.300M8 13.200v1.300M1.5 8h1.300M13.2 8h1.300M3.4 3.400l.9.900M11.7 11.700l.9.900M12.6 3.400l-.9.900M4.3 11.700l-.9.9',
  moon: 'M13.2 9.600A5.6 5.6 0 0 1 6.4 2.800a5.6 5.6 0 1 0 6.8 6.800z',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 9.800a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.600z',
} as const

interface LineIconProps {
  /** A path on 16 by 16. */
  readonly shape: string
  readonly size?: number
  readonly strokeWidth?: number
}

/** A line icon, decorative by itself: the control around it carries the name. */
export const LineIcon = ({ shape, size = 16, strokeWidth = 1.3 }: LineIconProps) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth={strokeWidth}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={shape} />
  </svg>
)
