//! What callers see.
use crate::on_both;
use crate::world::*;
use glosa_store::*;

fn every(seconds: u32) -> Look {
    Look::Poll(PollInterval { min_seconds: seconds, max_seconds: seconds }, CLIENT, std::time::Instant::now())
}

on_both! {
    async fn a_report_goes_its_way(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let text = "\u{feff}\0Línea\r\nna\u{303} 👩‍👩‍👧\u{ad}";
        let external = " \0\u{202e}ñ𝕏 ";
        let new = NewReport {
            text: text.to_owned(),
            external_id: Some(external.to_owned()),
            estimated_seconds: Some(7),
            ..letter(account)
        };
        let accepted = created(store.submit(new).await.unwrap());
        assert_eq!(accepted.external_id.as_deref(), Some(external));
        assert_eq!(accepted.estimated_seconds, Some(7));

        let queued = look(&store, account, accepted.report_id).await;
        assert_eq!(queued.status, ReportStatus::Queued);
        assert_eq!(queued.external_id.as_deref(), Some(external));
        assert_eq!(queued.position_in_queue, Some(1));
        assert_eq!((queued.phase, queued.started_at, queued.finished_at), (None, None, None));
        assert_eq!(queued.updated_at, queued.created_at);
        assert!(queued.retry_after_seconds >= Some(1));

        let job = claim_one(&store).await;
        assert_eq!(job.lease.report_id, accepted.report_id);
        assert_eq!(job.text, text);
        assert_eq!((&*job.language, &*job.domain_slug, &*job.text_type_slug), ("es", "administration", "letter"));
        assert_eq!((job.attempt, job.is_last_attempt), (1, false));
        let running = look(&store, account, accepted.report_id).await;
        assert_eq!(running.status, ReportStatus::Running);
        assert_eq!(running.phase, Some(ReportPhase::Analyzing));
        assert_eq!(running.position_in_queue, None);
        assert_eq!(running.started_at, Some(running.updated_at));
        assert!(running.updated_at >= running.created_at);

        assert_eq!(store.renew(job.lease, ReportPhase::Building).await.unwrap(), Held::Held);
        let building = look(&store, account, accepted.report_id).await;
        assert_eq!(building.phase, Some(ReportPhase::Building));
        assert_eq!(building.updated_at, running.updated_at);
        assert_eq!(store.renew(job.lease, ReportPhase::Analyzing).await.unwrap(), Held::Held);
        assert_eq!(look(&store, account, accepted.report_id).await.phase, Some(ReportPhase::Building));

        let result = b"{\"a\":\"\0\xff\"}".to_vec();
        assert_eq!(store.finish(job.lease, Outcome::Completed(result.clone())).await.unwrap(), Held::Held);
        let done = look(&store, account, accepted.report_id).await;
        assert_eq!(done.status, ReportStatus::Completed);
        assert_eq!(done.result.as_deref(), Some(&*result));
        assert_eq!((done.phase, &done.failure, done.retry_after_seconds), (None, &None, None));
        assert_eq!(done.finished_at, Some(done.updated_at));
        assert_eq!(done.started_at, running.started_at);
        assert_eq!(done.estimated_seconds, Some(7));
        assert_eq!(done.external_id.as_deref(), Some(external));
    }

    async fn a_failure_has_a_message_and_no_result(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let report = queue(&store, account).await;
        let job = claim_one(&store).await;
        assert_eq!(store.finish(job.lease, Outcome::Failed("no\0good".into())).await.unwrap(), Held::Held);
        let failed = look(&store, account, report).await;
        assert_eq!(failed.status, ReportStatus::Failed);
        assert_eq!(failed.failure.as_deref(), Some("no good"));
        assert_eq!(failed.result, None);
    }

    async fn places_in_the_queue_count_from_one(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let mut reports = Vec::new();
        for _ in 0..5 {
            reports.push(queue(&store, account).await);
        }
        for (index, report) in reports.iter().enumerate() {
            assert_eq!(look(&store, account, *report).await.position_in_queue, Some(index as u32 + 1));
        }
        let first = claim_one(&store).await;
        assert_eq!(first.lease.report_id, reports[0]);
        assert_eq!(look(&store, account, reports[4]).await.position_in_queue, Some(4));
        let backlog = store.backlog().await.unwrap();
        assert_eq!((backlog.queued, backlog.running), (4, 1));
        assert!(backlog.oldest_queued_seconds.is_some() && backlog.oldest_running_seconds.is_some());
    }

    async fn long_texts_of_one_account_do_not_hold_up_the_letter_of_another(world) {
        let store = world.open().await;
        let (busy, other) = (account(&store, "busy").await, account(&store, "other").await);
        let long = || NewReport { text: "Se resuelve. ".repeat(20_000), ..letter(busy) };
        let mut slow = Vec::new();
        for _ in 0..4 {
            slow.push(created(store.submit(long()).await.unwrap()).report_id);
        }
        assert_eq!(claim_one(&store).await.lease.report_id, slow[0]);
        assert_eq!(claim_one(&store).await.lease.report_id, slow[1]);
        let letters = [queue(&store, other).await, queue(&store, other).await];
        for expected in [letters[0], letters[1], slow[2], slow[3]] {
            assert_eq!(claim_one(&store).await.lease.report_id, expected);
        }
    }

    async fn letters_of_one_account_do_not_hold_up_the_long_text_of_another_for_ever(world) {
        let store = world.open().await;
        let (busy, other) = (account(&store, "busy").await, account(&store, "other").await);
        for _ in 0..3 {
            queue(&store, busy).await;
        }
        let long = NewReport { text: "Se resuelve. ".repeat(400), ..letter(other) };
        let long = created(store.submit(long).await.unwrap()).report_id;
        let mut before = 0;
        loop {
            queue(&store, busy).await;
            if claim_one(&store).await.lease.report_id == long {
                break;
            }
            before += 1;
            assert!(before < 12, "the long text waits");
        }
        assert!(before >= 3, "letters come first");
    }

    async fn unknown_foreign_and_expired_are_alike(world) {
        let store = world.open().await;
        let (owner, other) = (account(&store, "a").await, account(&store, "b").await);
        let report = queue(&store, owner).await;
        let job = claim_one(&store).await;
        let _held = store.finish(job.lease, Outcome::Completed(b"{}".to_vec())).await.unwrap();
        for how in [Look::Stream, unlimited(), every(5)] {
            let missing = store.observe(other, report, how).await.unwrap();
            assert!(matches!(missing, Observed::Missing), "{missing:?}");
            let missing = store.observe(owner, ReportId::new(), how).await.unwrap();
            assert!(matches!(missing, Observed::Missing), "{missing:?}");
        }
        let late = world.open_later(30 * DAY + HOUR).await;
        assert!(matches!(late.observe(owner, report, unlimited()).await.unwrap(), Observed::Missing));
        assert!(late.standings(&[report]).await.unwrap().is_empty());
        let almost = world.open_later(30 * DAY - HOUR).await;
        assert_eq!(look(&almost, owner, report).await.status, ReportStatus::Completed);
        assert_eq!(almost.sweep().await.unwrap().expired, 0);
        assert_eq!(late.sweep().await.unwrap().expired, 1);
        assert!(matches!(store.observe(owner, report, unlimited()).await.unwrap(), Observed::Missing));
        assert_eq!(world.raw("SELECT cast(count(*) AS text) FROM report").await, ["0"]);
    }

    async fn a_poll_before_its_time_is_refused_and_moves_nothing(world) {
        let (one, two) = (world.open().await, world.open_later(SECOND).await);
        let account = account(&one, "a").await;
        let report = queue(&one, account).await;
        let Observed::Found(first) = one.observe(account, report, every(1000)).await.unwrap() else {
            panic!("the first poll is welcome")
        };
        assert_eq!(first.retry_after_seconds, Some(1000));
        for store in [&two, &world.open_later(2 * SECOND).await, &world.open_later(900 * SECOND).await] {
            for _ in 0..3 {
                let refused = store.observe(account, report, every(1000)).await.unwrap();
                let Observed::TooSoon { retry_after_seconds, .. } = refused else { panic!("{refused:?}") };
                assert!((1..=1000).contains(&retry_after_seconds));
            }
        }
        let in_time = world.open_later(999 * SECOND + 950_000).await;
        assert!(matches!(in_time.observe(account, report, every(1000)).await.unwrap(), Observed::Found(_)));
        assert!(matches!(two.observe(account, report, Look::Stream).await.unwrap(), Observed::Found(_)));
        let job = claim_one(&one).await;
        let _held = one.finish(job.lease, Outcome::Failed("no".into())).await.unwrap();
        for _ in 0..3 {
            assert!(matches!(one.observe(account, report, every(1000)).await.unwrap(), Observed::Found(_)));
        }
    }

    async fn of_simultaneous_polls_none_is_another_ones(world) {
        let stores = [world.open().await, world.open().await];
        let account = account(&stores[0], "a").await;
        let report = queue(&stores[0], account).await;
        let mut polls = tokio::task::JoinSet::new();
        for index in 0..40 {
            let store = stores[index % 2].clone();
            polls.spawn(async move { store.observe(account, report, every(1000)).await.unwrap() });
        }
        let polls = polls.join_all().await;
        let found = |at_once: bool| {
            polls.iter().filter(|seen| matches!(seen, Observed::Found(report) if report.hold.is_zero() == at_once)).count()
        };
        assert_eq!(found(true), 1, "one was told this time; others are answered when its moment is over");
        let over = world.open_later(2 * SECOND).await.observe(account, report, every(1000)).await.unwrap();
        assert!(matches!(over, Observed::TooSoon { .. }), "{over:?}");
        let later = world.open_later(1002 * SECOND).await;
        for _ in 0..found(false).max(1) {
            assert!(matches!(later.observe(account, report, every(1000)).await.unwrap(), Observed::Found(_)));
        }
    }

    async fn the_interval_follows_the_estimate(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let bounds = PollInterval { min_seconds: 1, max_seconds: 10 };
        for (estimate, expected) in [(None, 1), (Some(0), 1), (Some(4), 1), (Some(5), 2), (Some(20), 5), (Some(4000), 10)] {
            let new = NewReport { estimated_seconds: estimate, ..letter(account) };
            let report = created(store.submit(new).await.unwrap()).report_id;
            let look = Look::Poll(bounds, CLIENT, std::time::Instant::now());
            let Observed::Found(seen) = store.observe(account, report, look).await.unwrap() else {
                panic!("the first poll is welcome")
            };
            assert_eq!(seen.retry_after_seconds, Some(expected), "{estimate:?}");
        }
    }

    async fn the_first_poll_waits_as_told(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let new = NewReport { first_poll_seconds: 60, ..letter(account) };
        let accepted = created(store.submit(new).await.unwrap());
        assert_eq!(accepted.retry_after_seconds, 60);
        let refused = store.observe(account, accepted.report_id, every(1)).await.unwrap();
        assert!(matches!(refused, Observed::TooSoon { .. }), "{refused:?}");
        let later = world.open_later(60 * SECOND).await;
        assert!(matches!(later.observe(account, accepted.report_id, every(1)).await.unwrap(), Observed::Found(_)));
    }

    async fn each_client_keeps_its_own_time(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let mut clients = Vec::new();
        for label in ["one", "two"] {
            clients.push(PollClient::of(store.issue_key(account, label).await.unwrap().record.id));
        }
        let poll = |client| Look::Poll(PollInterval { min_seconds: 30, max_seconds: 30 }, client, std::time::Instant::now());
        let new = NewReport { first_poll_seconds: 30, client: clients[0], ..letter(account) };
        let report = created(store.submit(new).await.unwrap()).report_id;
        let early = store.observe(account, report, poll(clients[1])).await.unwrap();
        assert!(matches!(early, Observed::TooSoon { retry_after_seconds: 29..=30, .. }), "{early:?}");
        let later = world.open_later(30 * SECOND).await;
        for client in &clients {
            let polled = later.observe(account, report, poll(*client)).await.unwrap();
            assert!(matches!(polled, Observed::Found(_)), "{polled:?}");
        }
        let early = world.open_later(32 * SECOND).await.observe(account, report, poll(clients[0])).await.unwrap();
        assert!(matches!(early, Observed::TooSoon { retry_after_seconds: 28..=29, .. }), "{early:?}");
        let later = world.open_later(61 * SECOND).await;
        for client in &clients {
            let polled = later.observe(account, report, poll(*client)).await.unwrap();
            assert!(matches!(polled, Observed::Found(_)), "{polled:?}");
        }
    }

    async fn replays_are_promised_a_poll_too(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let new = NewReport { first_poll_seconds: 30, ..keyed(account, "k", "p") };
        let report = created(store.submit(new.clone()).await.unwrap()).report_id;
        assert!(replayed(store.submit(new).await.unwrap()).retry_after_seconds >= 29);
        let later = world.open_later(31 * SECOND).await;
        for _ in 0..2 {
            let polled = later.observe(account, report, every(30)).await.unwrap();
            assert!(matches!(polled, Observed::Found(_)), "{polled:?}");
        }
        let polled = later.observe(account, report, every(30)).await.unwrap();
        assert!(matches!(polled, Observed::TooSoon { retry_after_seconds: 29..=30, .. }), "{polled:?}");
    }

    async fn a_full_queue_is_not_overrun(world) {
        let stores = [
            world.open_with(|settings| settings.account_queue = 7).await,
            world.open_with(|settings| settings.account_queue = 7).await,
        ];
        let account = account(&stores[0], "a").await;
        let mut senders = tokio::task::JoinSet::new();
        for number in 0..40 {
            let store = stores[number % 2].clone();
            senders.spawn(async move { store.submit(letter(account)).await.unwrap() });
        }
        let answers = senders.join_all().await;
        let stored = answers.iter().filter(|answer| matches!(answer, Submitted::Created(_))).count();
        assert_eq!(stored, 7);
        assert_eq!(world.raw("SELECT cast(count(*) AS text) FROM report").await, ["7"]);
    }

    async fn queues_have_an_end(world) {
        let store = world.open_with(|settings| settings.account_queue = 2).await;
        let (one, two) = (account(&store, "a").await, account(&store, "b").await);
        queue(&store, one).await;
        queue(&store, one).await;
        let full = store.submit(keyed(one, "k", "p")).await.unwrap();
        assert!(matches!(full, Submitted::AccountQueueFull), "{full:?}");
        queue(&store, two).await;
        claim_one(&store).await;
        created(store.submit(keyed(one, "k", "p")).await.unwrap());

        let small = world.open_with(|settings| settings.queue = 3).await;
        let full = small.submit(keyed(two, "k", "p")).await.unwrap();
        assert!(matches!(full, Submitted::QueueFull), "{full:?}");
        claim_one(&store).await;
        created(small.submit(keyed(two, "k", "p")).await.unwrap());
        assert_eq!(small.backlog().await.unwrap().queued, 3);
    }

    async fn accounts_take_turns(world) {
        let store = world.open().await;
        let (busy, modest) = (account(&store, "busy").await, account(&store, "modest").await);
        for _ in 0..30 {
            queue(&store, busy).await;
        }
        for _ in 0..5 {
            claim_one(&store).await;
        }
        let mut waiting = Vec::new();
        for _ in 0..3 {
            waiting.push(queue(&store, modest).await);
        }
        let jobs = store.claim("worker", 6).await.unwrap();
        let served = jobs.iter().filter(|job| waiting.contains(&job.lease.report_id)).count();
        assert_eq!((jobs.len(), served), (6, 3), "half of the turns are the modest account's");
    }

    async fn standings_are_given_together(world) {
        let store = world.open().await;
        let account = account(&store, "a").await;
        let (one, two) = (queue(&store, account).await, queue(&store, account).await);
        claim_one(&store).await;
        let mut standings = store.standings(&[one, two, ReportId::new()]).await.unwrap();
        standings.sort_by_key(|standing| standing.report_id);
        let states: Vec<_> = standings.iter().map(|standing| (standing.report_id, standing.status)).collect();
        assert_eq!(states, [(one, ReportStatus::Running), (two, ReportStatus::Queued)]);
        let seen = look(&store, account, one).await;
        assert_eq!((standings[0].updated_at, standings[0].started_at), (seen.updated_at, seen.started_at));
        assert!(store.standings(&[]).await.unwrap().is_empty());
    }
}
