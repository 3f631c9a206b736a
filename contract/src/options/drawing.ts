import { flag, section } from './kinds.ts'

export const drawing = section({
  name: 'drawing',
  tab: 'operation',
  title: { zh: '绘图设置', en: 'Drawing' },
  options: {
    MjNotifyEnabled: flag({
      fallback: false,
      status: 'mj_notify_enabled',
      label: { zh: '允许回调（会泄露服务器 IP 地址）', en: 'Allow callbacks (exposes the server IP)' },
      help: { zh: '关闭时移除请求中的 notifyHook', en: 'If off, notifyHook is removed from requests' },
      risk: { zh: '开启后上游能得知服务器的 IP 地址', en: 'Providers will see the IP address of this server' },
    }),
    MjAccountFilterEnabled: flag({
      fallback: false,
      label: { zh: '允许 AccountFilter 参数', en: 'Allow the accountFilter parameter' },
      help: { zh: '关闭时移除请求中的 accountFilter', en: 'If off, accountFilter is removed from requests' },
    }),
    MjForwardUrlEnabled: flag({
      fallback: true,
      label: { zh: '将上游图片地址替换为服务器地址', en: 'Proxy images through this server' },
      help: {
        zh: '图片 URL 指向本服务器而非上游',
        en: 'Image URLs point to this server instead of the provider',
      },
    }),
    MjModeClearEnabled: flag({
      fallback: false,
      label: { zh: '清除用户提示词中的模式参数', en: 'Strip mode parameters from prompts' },
      help: {
        zh: '移除 --fast、--relax 与 --turbo',
        en: 'Removes --fast, --relax and --turbo',
      },
    }),
    MjActionCheckSuccessEnabled: flag({
      fallback: true,
      label: { zh: '检测必须等待绘图成功才能进行放大等操作', en: 'Require a finished image for follow-up actions' },
      help: { zh: '原任务成功后才能放大或变换', en: 'Upscale and variation are available once the original succeeds' },
    }),
  },
})
