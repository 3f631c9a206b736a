import { defineMessages } from '../i18n.ts'

/** Texts of failed calls; operators' guides quote them, so they must not change. */
export const useApiMessages = defineMessages('api', {
  zh: {
    tooMany: '错误：请求次数过多，请稍后再试！',
    server: '错误：服务器内部错误，请联系管理员！',
    demo: '本站仅作演示之用，无服务端！',
    other: '错误：{{message}}',
    network: '错误：无法连接到服务器，请检查网络后重试',
    unreadable: '错误：服务器返回了无法识别的内容（HTTP {{status}}）',
    unproved: '未验证身份，操作未执行',
    expired: '未登录或登录已过期，请重新登录！',
  },
  en: {
    tooMany: 'Too many requests; try again later',
    server: 'Internal server error; contact the administrator',
    demo: 'This is a demo site: nothing can be changed',
    other: 'Error: {{message}}',
    network: 'Error: the server cannot be reached, check the network and try again',
    unreadable: 'Error: the server sent an unreadable answer (HTTP {{status}})',
    unproved: 'Nothing was done, because you did not confirm that it is you',
    expired: 'Not logged in or session expired. Please login again!',
  },
})
