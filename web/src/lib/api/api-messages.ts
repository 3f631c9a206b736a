import { defineMessages } from '../i18n.ts'

/** Texts of failed calls; operators' guides quote them, so they must not change. */
export const useApiMessages = defineMessages('api', {
  zh: {
    tooMany: '错误：请求次数过多，请稍后再试！',
    server: '错误：服务器内部错误，请联系管理员！',
    demo: '演示站点，无法修改',
    other: '错误：{{message}}',
    network: '无法连接到服务器，请检查网络后重试',
    unreadable: '服务器返回了无法识别的内容（HTTP {{status}}）',
    unproved: '未完成身份验证，操作已取消',
    expired: '未登录或登录已过期，请重新登录！',
  },
  en: {
    tooMany: 'Too many requests; try again later',
    server: 'Internal server error; contact the administrator',
    demo: 'Demo site: changes are disabled',
    other: 'Error: {{message}}',
    network: 'Can’t reach the server. Check your connection and try again.',
    unreadable: 'Unexpected response from the server (HTTP {{status}})',
    unproved: 'Cancelled: identity not confirmed',
    expired: 'Not logged in or session expired. Please login again!',
  },
})
