import { entranceShapes, LineIcon } from './line-icon.tsx'

/** Hand-drawn 16 px line icons; one place, so that the console needs no icon package. */
const shapes = {
  ...entranceShapes,
  chat: 'M3 3.5h10v7.2H8L5 13.2v-2.5H3z',
  chart: 'M2.5 13.5h11M4.5 13V8M8 13V3.5M11.5 13V6',
  pulse: 'M1.500 8h3l2-5 3 10 2-5h3',
  trend: 'M2 11.5 5.500 7l2.500 2 3-5.500 3 3.200M2 13.500h12',
  document: 'M4 2h5.5L12.5 5v9H4zM9 2v3.5h3.5M6 8.5h4.5M6 11h4.5',
  image: 'M2.5 3h11v10h-11zM2.5 11l3.5-3.5 3 3 2-2 2.5 2.5M10 6h.1',
  cube: 'M8 2l5.500 3v6L8 14l-5.500-3V5zM2.500 5 8 8l5.500-3M8 8v6',
  layers: 'M8 2.500 2.500 5.500 8 8.500l5.500-3zM2.500 8 8 11l5.500-3M2.500 10.500 8 13.500l5.500-3',
  film: 'M2.500 3.500h11v9h-11zM6.700 6l3.300 2-3.300 2z',
  hourglass: 'M4 2.5h8M4 13.5h8M5 2.5v2.500L8 8l3-3V2.500M5 13.500V11l3-3 3 3v2.500',
  list: 'M6 4h7.5M6 8h7.5M6 12h7.5M2.7 4h.6M2.7 8h.6M2.7 12h.6',
  channels: 'M8 13v-3M3.5 3h2v2.5h-2zM10.5 3h2v2.5h-2zM7 10h2v3H7zM4.5 5.5V8h7V5.5M8 8v2',
  branch: 'M3.5 8h3l3-4h3M6.500 8l3 4h3M11 2.500 12.500 4 11 5.500M11 10.500l1.500 1.500-1.500 1.500',
  receipt: 'M3.5 2h9v12l-2.200-1.300L8 14l-2.300-1.300L3.500 14zM6 5.500h4M6 8.500h4',
  balance: 'M8 2.5v11M5 13.5h6M3 4.5h10M3 4.5 1.5 9h3zM13 4.5 11.5 9h3z',
  ticket: 'M2.5 4.5h11v2.200a1.3 1.3 0 0 0 0 2.600v2.200h-11V9.300a1.3 1.3 0 0 0 0-2.600z',
  users:
    'M6 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.600zM2 13c.2-2.4 1.7-3.7 4-3.700s3.8 1.3 4 3.700M10.3 3.200a2.2 2.2 0 0 1 0 4.100M11.8 9.700c1.3.5 2.1 1.6 2.2 3.3',
  sliders: 'M2.5 5h5M10.5 5h3M2.5 11h2.5M8 11h5.5M9 3.5v3M6.5 9.5v3',
  wallet: 'M2.5 4.5h11v9h-11zM2.5 4.5 10.5 2v2.5M10.5 9h.1',
  user: 'M8 7.800a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.200zM3 13.700c.2-2.7 2-4.2 5-4.200s4.8 1.5 5 4.2',
  monitor: 'M2 3h12v8H2zM6 13.5h4M8 11v2.5',
  search: 'M7 11.800a4.8 4.8 0 1 0 0-9.6 4.8 4.8 0 0 0 0 9.600zM10.5 10.5 14 14',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'M4 4l8 8M12 4l-8 8',
  left: 'M10 3.5 5.5 8l4.5 4.5',
  right: 'M6 3.5 10.5 8 6 12.5',
  up: 'M3.5 10 8 5.5l4.5 4.5',
  down: 'M3.5 6 8 10.5 12.5 6',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'M3 8.5 6.5 12 13 4.5',
  warning: 'M8 2 14.5 13.5h-13zM8 6.5v3.200M8 11.600v.1',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.300v3.700M8 5v.1',
  external: 'M9.5 2.5h4v4M13.5 2.5 8 8M12 9.5v4H2.5V4h4',
  plus: 'M8 3v10M3 8h10',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  download: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.5h10',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.600M13 2.5v2.800h-2.8',
  stop: 'M4 4h8v8H4z',
  edit: 'M3 13l.6-2.800L10.8 3l2.2 2.2-7.2 7.200z',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.800l.6-9',
  send: 'M8 13.5v-11M3.5 7 8 2.5 12.5 7',
  filter: 'M2.5 3.5h11L9.5 8.5v4l-3 1v-5z',
  history: 'M3.200 6.500A5 5 0 1 1 3 9M3 3.500v3h3M8 5.500V8l2 1.400',
  home: 'M2.5 7.5 8 2.5l5.5 5M4 6.5v7h8v-7',
  logout: 'M6 2.5H3v11h3M10.5 5l3 3-3 3M13.5 8H6.5',
  thread:
    'M4 5v1.700M4 9.300V11M4 2.400a1.3 1.3 0 1 0 0 2.600 1.3 1.3 0 0 0 0-2.600zM4 6.700a1.3 1.3 0 1 0 0 2.600 1.3 1.3 0 0 0 0-2.600zM4 11a1.3 1.3 0 1 0 0 2.600A1.3 1.3 0 0 0 4 11zM7.500 3.700h6M7.500 8h6M7.500 12.300h4',
  building:
    'M3 13.500v-11h6.500v11M9.500 6.500H13v7M2 13.500h12M5.500 5.300h1.500M5.500 8h1.500M5.500 10.700h1.500M11.200 9.200v.1M11.200 11.200v.1',
  gauge: 'M3.300 13a6 6 0 1 1 9.400 0M8 9.300l2.600-3.300M8 9.300h.1',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  calendar: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5h.1M6.7 6.5h.1M9.3 6.5h.1M12 6.5h.1M5 9.5h6',
} as const

export type IconName = keyof typeof shapes

/** Decorative by itself: the control around it carries the name. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <LineIcon shape={shapes[name]} size={size} strokeWidth={name === 'more' ? 2 : 1.3} />
)
