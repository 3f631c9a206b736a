import { defineMessages } from '../../../lib/i18n.ts'

/** Texts of the lists of calls and tasks. */
export const useOrganisationWorkMessages = defineMessages('organisation-work', {
  zh: {
    allResults: '全部结果',
    task: '任务内容',
    taskKind: '类型',
    noTasks: '没有任务',
    noTasksText: '用组织的令牌提交的绘图和音乐任务显示在这里。',
    time: '时间',
    model: '模型',
    output: '输出',
    answered: '成功',
    failed: '失败',
    noCalls: '没有调用',
    noCallsText: '用组织的项目令牌发起的调用显示在这里。',
    tagPlaceholder: '标签，如 env=test',
    searchModels: '按模型搜索',
    allProjects: '全部项目',
    allMembers: '全部成员',
  },
  en: {
    allResults: 'All results',
    task: 'Task',
    taskKind: 'Type',
    noTasks: 'No tasks',
    noTasksText: 'Image and music tasks submitted with the organisation’s keys appear here.',
    time: 'Time',
    model: 'Model',
    output: 'Output',
    answered: 'Success',
    failed: 'Failed',
    noCalls: 'No calls',
    noCallsText: 'Calls made with the organisation’s project keys appear here.',
    tagPlaceholder: 'Tag, e.g. env=test',
    searchModels: 'Search by model',
    allProjects: 'All projects',
    allMembers: 'All members',
  },
})

export type SayWork = typeof useOrganisationWorkMessages.say
