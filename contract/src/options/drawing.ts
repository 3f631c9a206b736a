import { flag, section } from './kinds.ts'

export const drawing = section({
  name: 'drawing',
  tab: 'operation',
  title: { zh: '绘图设置', en: 'Drawing' },
  options: {
    MjNotifyEnabled: flag({
      fallback: false,
      status: 'mj_notify_enabled',
      label: { zh: '允许回调（会泄露服务器 IP 地址）', en: 'Allow callbacks (reveals the server address)' },
      help: { zh: '关闭时转发前移除 notifyHook', en: 'When off, notifyHook is removed before forwarding' },
      risk: { zh: '开启后上游能得知服务器的 IP 地址', en: 'Upstreams will learn the IP address of this server' },
    }),
    MjAccountFilterEnabled: flag({
      fallback: false,
      label: { zh: '允许 AccountFilter 参数', en: 'Allow the accountFilter parameter' },
      help: { zh: '关闭时转发前移除 accountFilter', en: 'When off, accountFilter is removed before forwarding' },
    }),
    MjForwardUrlEnabled: flag({
      fallback: true,
      label: { zh: '将上游图片地址替换为服务器地址', en: 'Serve images through this server' },
      help: {
        zh: '开启之后将上游地址替换为服务器地址',
        en: 'Image addresses from the upstream are replaced by addresses of this server',
      },
    }),
    MjModeClearEnabled: flag({
      fallback: false,
      label: { zh: '清除用户提示词中的模式参数', en: 'Remove mode parameters from prompts' },
      help: {
        zh: '开启之后会清除用户提示词中的 --fast、--relax 以及 --turbo 参数',
        en: 'Removes --fast, --relax and --turbo from prompts',
      },
    }),
    MjActionCheckSuccessEnabled: flag({
      fallback: true,
      label: { zh: '检测必须等待绘图成功才能进行放大等操作', en: 'Follow-up actions need a finished drawing' },
      help: { zh: '原任务成功之后才能放大或变换', en: 'Upscale and variation wait until the original succeeded' },
    }),
  },
})
