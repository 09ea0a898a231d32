import { expect } from 'chai';
import { dayAt, isDay, nextDay, startOfDay } from '#base/day.ts';

const begins = (day: string, timeZone: string | null) =>
  new Date(startOfDay(day, timeZone)).toISOString();

describe('a day of a date field', () => {
  it('begins at midnight of the time zone, on the days of changed clocks too', () => {
    expect(begins('2026-07-01', 'Asia/Kolkata')).to.equal('2026-06-30T18:30:00.000Z');
    expect(begins('2026-11-01', 'America/New_York')).to.equal('2026-11-01T04:00:00.000Z');
    expect(begins('2026-11-02', 'America/New_York')).to.equal('2026-11-02T05:00:00.000Z');
    expect(begins('2026-03-29', 'Europe/Berlin')).to.equal('2026-03-28T23:00:00.000Z');
    expect(begins('2026-03-30', 'Europe/Berlin')).to.equal('2026-03-29T22:00:00.000Z');
  });

  it('begins with the change where the clocks leave midnight out', () => {
    expect(begins('2018-11-04', 'America/Sao_Paulo')).to.equal('2018-11-04T03:00:00.000Z');
    expect(begins('2018-11-05', 'America/Sao_Paulo')).to.equal('2018-11-05T02:00:00.000Z');
  });

  it('begins by the clock of this device in a time zone that nobody knows', () => {
    const here = new Date(2026, 10, 27).getTime();
    expect(startOfDay('2026-11-27', 'Mars/Olympus')).to.equal(here);
    expect(startOfDay('2026-11-27', null)).to.equal(here);
  });

  it('is followed by the next one, over months and leap days', () => {
    expect(['2026-11-30', '2028-02-28', '2026-12-31'].map(nextDay)).to.deep.equal([
      ...['2026-12-01', '2028-02-29', '2027-01-01'],
    ]);
  });

  it('is a day that there is, and no other text', () => {
    expect(isDay('2028-02-29')).to.equal(true);
    for (const text of [
      '',
      '2026-02-30',
      '2026-13-01',
      '27.11.2026',
      "2026-11-27' or 1=1",
      '0001-01-01',
    ])
      expect(isDay(text), text).to.equal(false);
  });

  it('is told of a moment as the clocks there show it', () => {
    const at = Date.parse('2026-11-27T23:30:00Z');
    expect(dayAt(at, 'UTC')).to.equal('2026-11-27');
    expect(dayAt(at, 'Asia/Tokyo')).to.equal('2026-11-28');
    expect(dayAt(at, 'America/Lima')).to.equal('2026-11-27');
    expect(dayAt(startOfDay('2026-03-29', 'Europe/Paris'), 'Europe/Paris')).to.equal('2026-03-29');
  });
});
