import { flag, section } from '@tollgate/contract/options/kinds'

const drawings = section({
  name: 'drawings',
  tab: 'operation',
  title: { zh: '绘图日志', en: 'Drawing log' },
  behind: { section: 'drawing', position: 1, isAhead: true },
  options: {
    DrawingEnabled: flag({
      fallback: true,
      status: 'enable_drawing',
      label: { zh: '启用绘图功能', en: 'Enable drawing' },
      help: { zh: '在控制台显示绘图日志', en: 'Shows the drawing log in the console' },
    }),
  },
})

export const sections = [drawings] as const
